// both: no such module 'Glibc'
import Glibc

let process = getpid()

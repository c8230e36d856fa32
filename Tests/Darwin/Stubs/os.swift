// The declarations of os in use.
@_exported import Darwin

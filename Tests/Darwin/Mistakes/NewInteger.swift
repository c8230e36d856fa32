// both: 'UInt128' is only available in
func mask(_ bit: Int) -> UInt128 { 1 << bit }

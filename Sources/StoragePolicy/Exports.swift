// The errors of rule files and configurations are part of this library.
@_exported public import PolicyValues

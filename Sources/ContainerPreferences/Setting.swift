/// A setting of a settings bundle.
public struct Setting: Sendable, Hashable {
    /// The kind of control. Source: Apple, Settings Application Schema Reference.
    public enum Kind: String, Sendable, CaseIterable {
        case toggleSwitch = "PSToggleSwitchSpecifier"
        case textField = "PSTextFieldSpecifier"
        case slider = "PSSliderSpecifier"
        case multiValue = "PSMultiValueSpecifier"
        case radioGroup = "PSRadioGroupSpecifier"
        case titleValue = "PSTitleValueSpecifier"
    }

    /// The key of the preference.
    public let key: String
    /// The title in the requested language. Empty if there is none.
    public let title: String
    /// The kind of control.
    public let kind: Kind
    /// The default value. Nil if the bundle has none.
    public let defaultValue: PreferenceValue?
}

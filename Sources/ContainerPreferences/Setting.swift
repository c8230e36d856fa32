/// What a settings bundle lets a person set.
public struct Setting: Sendable, Hashable {
    /// How it is shown. Source: Apple, Settings Application Schema Reference.
    public enum Kind: String, Sendable, CaseIterable {
        case toggleSwitch = "PSToggleSwitchSpecifier"
        case textField = "PSTextFieldSpecifier"
        case slider = "PSSliderSpecifier"
        case multiValue = "PSMultiValueSpecifier"
        case radioGroup = "PSRadioGroupSpecifier"
        case titleValue = "PSTitleValueSpecifier"
    }

    /// The preference that it sets.
    public let key: String
    /// What is written beside it, in the language asked for; empty where it has no title.
    public let title: String
    /// How it is shown.
    public let kind: Kind
    /// What the preference is until a person sets it; nil where the bundle does not say.
    public let defaultValue: PreferenceValue?
}

/** Language of what is said, written and asked for here, whatever the screen is in: recognizer, reader and writer know no other. */
export const recordLanguage = 'en'

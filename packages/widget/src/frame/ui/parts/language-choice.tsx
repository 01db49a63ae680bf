import { recordLanguage } from '../record-language.js'
import { useUi } from '../ui-context.js'
import { Choice } from './field.js'

export const nameLanguage = (locale: string, language: string): string => {
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
}

interface LanguageChoiceProps {
  label: string
  value: string
  onChange: (language: string) => void
  /** Stands in its place where English alone is known. */
  instead?: string
}

/** What is spoken, or written, where more than English is known. Empty: nobody says, so that it is taken for English. */
export function LanguageChoice({ label, value, onChange, instead }: LanguageChoiceProps) {
  const { texts, getClinician } = useUi()
  const { locale } = texts.value
  const others = (getClinician()?.languages ?? []).filter((one) => one !== recordLanguage)
  if (others.length === 0) return instead === undefined ? null : <p class="muted">{instead}</p>
  return (
    <Choice
      label={label}
      value={value === recordLanguage ? '' : value}
      choices={['', ...others].map((one) => ({
        value: one,
        title: nameLanguage(locale, one || recordLanguage),
      }))}
      onChange={onChange}
    />
  )
}

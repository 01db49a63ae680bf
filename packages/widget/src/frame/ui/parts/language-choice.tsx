import { recordLanguage } from '../record-language.js'
import { useUi } from '../ui-context.js'
import { Choice } from './field.js'

export const nameLanguage = (locale: string, language: string): string => {
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
}

/** What is spoken in the session, where more than English is known. Empty: nobody says, so that English is listened for. */
export function LanguageChoice({ value, onChange }: { value: string; onChange: (language: string) => void }) {
  const { texts, getClinician } = useUi()
  const { locale, setup } = texts.value
  const others = (getClinician()?.languages ?? []).filter((one) => one !== recordLanguage)
  if (others.length === 0) return null
  return (
    <Choice
      label={setup.language}
      value={value === recordLanguage ? '' : value}
      choices={['', ...others].map((one) => ({
        value: one,
        title: nameLanguage(locale, one || recordLanguage),
      }))}
      onChange={onChange}
    />
  )
}

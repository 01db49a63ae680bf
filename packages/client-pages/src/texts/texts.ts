import type { TextLanguage } from '@casenote/contract'
import en from './en.json'
import es from './es.json'

/**
 * Every word of the pages that is not an instrument's. A language is one more file with the keys of `en.json`. Month names,
 * the order of a date and the names of languages come from the browser.
 */
export type Texts = typeof en

const all: Readonly<Record<TextLanguage, Texts>> = { en, es }

export const getTexts = (language: TextLanguage): Texts => all[language]

/** Puts values into a text's places, `Question {position} of {count}`. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))

/** One text for each kind of number that a language tells apart. */
export const fillCount = (
  { language }: Pick<Texts, 'language'>,
  plural: { one: string; other: string },
  count: number,
): string =>
  fill(new Intl.PluralRules(language).select(count) === 'one' ? plural.one : plural.other, { count })

/** Puts values into a text's places, `Born {date}`; places that have none stay. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))

/** One text for each kind of number that a language tells apart; English has `one` and `other`. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

export const fillCount = (
  { locale }: { locale: string },
  plural: Plural,
  count: number,
  values: Record<string, string | number> = {},
): string => fill(plural[new Intl.PluralRules(locale).select(count)] ?? plural.other, { count, ...values })

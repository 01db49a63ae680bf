import type en from './en.json'
import { fill } from './fill.js'

/** Every word of the frame. A translation is one more file with the keys of `en.json`; the service says which is loaded. */
export type Texts = typeof en

/** The language pack that the frame's page names, and has loaded beside the script. */
const { href = '' } = document.querySelector<HTMLLinkElement>('link[as=fetch]') ?? {}
const pack = await (await fetch(href)).text()

/** `reference` is the page's word for a client (`patientReference`), in lower case; the usual ones are translated. */
export const makeTexts = (reference: string): Texts => {
  const { references } = JSON.parse(pack) as { references: Record<string, string> }
  const word = references[reference] ?? reference
  const names = { reference: word, Reference: word.charAt(0).toUpperCase() + word.slice(1) }
  return JSON.parse(pack, (_, value: unknown) =>
    typeof value === 'string' ? fill(value, names) : value,
  ) as Texts
}

/** What the engine says: to the clinician in plain words, and to the developer of the page around it. */
export const { engine: engineTexts, page: pageTexts, locale: textLanguage, serverWords } = makeTexts('')

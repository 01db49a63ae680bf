import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { TEXT_LANGUAGES } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import { mailTexts } from '../../src/features/client-mail/texts/by-language.js'
import { readCrisisHelp } from '../../src/features/client-pages/index.js'
import { codeTexts } from '../../src/features/widget/sign-in/code-texts.js'
import { findProblems, listTexts } from './compare-texts.js'

const folderOf = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
/** Without the words for what the service says in English, which have no original in `en.json` (server-words.test.ts). */
const inFolder = (path: string) => (language: string) => {
  const texts = readJson(`${folderOf(path)}/${language}.json`) as Record<string, unknown>
  return { ...texts, serverWords: undefined }
}

interface TextFiles {
  name: string
  read: (language: string) => unknown
  /** What is written alike in both languages. Everything else that is the same was forgotten. */
  mayBeSame?: RegExp
}

const files: TextFiles[] = [
  { name: "the clients' pages", read: inFolder('client-pages/src/texts') },
  {
    name: 'the widget',
    read: inFolder('widget/src/frame/texts'),
    // Acronyms; what the writer is asked for, which is in English; what only developers read; a place and nothing else.
    mayBeSame:
      /^(noteTypes\.(soap|dap|birp|girp|pirp)|tabs\.mdm|magic\.(bullets|paragraphs|suggestions|withoutModelSuggestions).*|page\..*|home\.searchResults|progress\.percent|transcript\.speaker\.client|consents\.relations\.self|speakers\.roles\.client)$/,
  },
  { name: 'the mails to clients', read: (language) => mailTexts[language as 'en'] },
  { name: 'the mail with a sign-in code', read: (language) => codeTexts[language as 'en'] },
  { name: 'crisis help', read: (language) => readCrisisHelp('us').languages[language], mayBeSame: /\.href$/ },
]

describe('every text in every language', () => {
  const others = TEXT_LANGUAGES.filter((language) => language !== 'en')
  const cases = files.flatMap((file) => others.map((language) => ({ ...file, language })))

  it.each(cases)(
    '$name in $language: none is missing, left over or left in English, and each takes the same values',
    ({ read, language, mayBeSame }) => {
      const problems = findProblems(
        listTexts(read('en')),
        listTexts(read(language)),
        (place) => mayBeSame?.test(place) === true,
      )
      expect(problems).toEqual([])
    },
  )

  it('is a file of its own: none lies there that nobody compares', () => {
    for (const path of ['client-pages/src/texts', 'widget/src/frame/texts']) {
      const found = readdirSync(folderOf(path)).filter((file) => file.endsWith('.json'))
      expect(found.toSorted()).toEqual(TEXT_LANGUAGES.map((language) => `${language}.json`).toSorted())
    }
  })
})

describe('what is compared', () => {
  const original = listTexts({ a: 'One {name}', b: { one: '1 file', other: '{count} files' }, c: ['x', 'y'] })

  it('a text that is missing, left over, empty, the same or takes other values is named by its key', () => {
    const translation = listTexts({
      a: 'Uno {nombre}',
      b: { other: '{count} files' },
      c: ['z', ' '],
      d: 'de',
    })
    expect(findProblems(original, translation, () => false)).toEqual([
      'not translated: b.one',
      'translated, but not in the original: d',
      'other places for values: a ({name}, not {nombre})',
      'the same as the original: b.other',
      'empty: c.1',
    ])
  })

  it('a good one has no problem', () => {
    const translation = listTexts({
      a: '{name} uno',
      b: { one: '1 archivo', other: '{count} archivos' },
      c: ['x', 'z'],
    })
    expect(findProblems(original, translation, (place) => place === 'c.0')).toEqual([])
  })
})

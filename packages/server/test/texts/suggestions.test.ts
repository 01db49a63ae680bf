import { NOTE_TYPES } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import english from '../../../widget/src/frame/texts/en.json' with { type: 'json' }
import { fill } from '../../../widget/src/frame/texts/fill.js'
import { makeExtractWriter } from '../../src/engines/writer/extract/extract-writer.js'
import { builtInTemplate } from '../../src/engines/writer/templates/built-in-templates.js'
import { readAs } from '../engines/session-fixtures.js'

describe('what is suggested without a language model', () => {
  const suggestions = NOTE_TYPES.flatMap((noteType, at) =>
    [english.magic.bullets, english.magic.paragraphs, ...english.magic.withoutModelSuggestions].map(
      (text) => ({
        noteType,
        text: fill(
          text
            .replace('about …', 'about her sleep')
            .replace('for …', 'for Tom')
            .replace('“…” with “…”', '“good” with “fair”'),
          {
            section: builtInTemplate(noteType).sections.at(-1)?.title ?? '',
            noteType: english.noteTypes[NOTE_TYPES[at - 1] ?? 'medication_management'],
          },
        ),
      }),
    ),
  )

  it('is understood by the edits that need none, for every note type', async () => {
    const writer = makeExtractWriter()
    const said = 'Tom talked about her sleep and had a good week.'
    const request = { transcript: [], reading: readAs(), treatmentApproaches: [] }
    const refused: unknown[] = []
    for (const { noteType, text } of suggestions) {
      const note = builtInTemplate(noteType).sections.map(({ key, title }) => ({
        key,
        title,
        content: text === english.magic.paragraphs ? `- ${said}` : said,
        evidence: [],
      }))
      const edit = { ...request, noteType, note, instructions: text }
      const outcome = await writer.editNote(edit, new AbortController().signal)
      if (text.includes('…') || !outcome.isDone) refused.push({ noteType, text, outcome })
    }
    await writer.close()
    expect(refused).toEqual([])
  })
})

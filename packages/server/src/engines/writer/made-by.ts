import { WRITER_ENGINES, type NoteWriter } from '@casenote/contract'
import type { WriterEngine } from './writer-engine.js'

/** What is kept on everything that a writer made. */
export const describeWriter = ({ versions: { engine, model, prompt, templates } }: WriterEngine): string =>
  `${engine} ${model}, prompt ${prompt}, templates ${templates}`

/** The other way round, for those who read the note. Null: nobody's, or of a form that is not known. */
export function readWriter(madeBy: string | null): NoteWriter | null {
  const [head = ''] = madeBy?.split(', prompt ') ?? []
  const space = head.indexOf(' ')
  const engine = WRITER_ENGINES.find((name) => name === head.slice(0, space))
  if (engine === undefined) return null
  return { engine, model: head.slice(space + 1), isExtract: engine === 'extract' }
}

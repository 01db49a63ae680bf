import type { EditRequest, WriterEngine, WritingRequest } from '../writer-engine.js'

/** What the thread is asked for, by the name of the door's method. */
export type WriterCall =
  | { method: 'writeNote' | 'deriveMdm' | 'summarize'; request: WritingRequest }
  | { method: 'editNote'; request: EditRequest }

export type WriterOrder = { id: number } & (WriterCall | { method: 'abort' })

/** A note comes section by section, everything else at once. */
export type WriterReply =
  | { id: number; kind: 'section'; section: unknown }
  | { id: number; kind: 'done'; result: unknown }
  | { id: number; kind: 'failed'; name: string; stack: string }

export type ResultOf<Method extends 'deriveMdm' | 'summarize' | 'editNote'> = Awaited<
  ReturnType<WriterEngine[Method]>
>

import { inTurnOf, type NoteChecker } from '../../checker/note-checker.js'
import type { LanguageModel } from '../../models/language-model.js'
import { templatesVersion } from '../templates-version.js'
import type { WriterEngine, WritingRequest } from '../writer-engine.js'
import { deriveMdm } from './derive-mdm.js'
import { editNote } from './edit-note.js'
import { linkGoals } from './link-goals.js'
import { promptVersion } from './prompt-version.js'
import type { ProseParts } from './prose-parts.js'
import { summarize } from './summarize.js'
import { planBudget } from './token-budget.js'
import { writeNote } from './write-note.js'

/** A language model that writes, whichever door it stands behind. It is closed with the writer; the checker is not. */
export function makeProseWriter(model: LanguageModel, checker: NoteChecker): WriterEngine {
  const budget = planBudget(model.contextTokens)
  const partsOf = ({ owner = '' }: Pick<WritingRequest, 'owner'>): ProseParts => ({
    model: askFor(model, owner),
    budget,
    checker: inTurnOf(checker, owner),
  })
  return {
    name: model.engine,
    versions: {
      engine: model.engine,
      model: model.model,
      prompt: promptVersion,
      templates: templatesVersion,
    },
    writeNote: (request, signal) => writeNote(partsOf(request), request, signal),
    editNote: (request, signal) => editNote(partsOf(request), request, signal),
    deriveMdm: (request, signal) => deriveMdm(partsOf(request), request, signal),
    summarize: (request, signal) => summarize(partsOf(request), request, signal),
    linkGoals: (request, signal) => linkGoals(partsOf(request), request, signal),
    close: () => model.close(),
  }
}

/** The model as one owner asks it. */
const askFor = (model: LanguageModel, owner: string): LanguageModel => ({
  engine: model.engine,
  model: model.model,
  contextTokens: model.contextTokens,
  complete: (task, signal) => model.complete({ ...task, owner }, signal),
  stream: (task, signal) => model.stream({ ...task, owner }, signal),
  close: () => model.close(),
})

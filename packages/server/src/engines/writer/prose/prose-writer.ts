import type { NoteChecker } from '../../checker/note-checker.js'
import type { LanguageModel } from '../../models/language-model.js'
import { templatesVersion } from '../templates-version.js'
import type { WriterEngine } from '../writer-engine.js'
import { deriveMdm } from './derive-mdm.js'
import { editNote } from './edit-note.js'
import { promptVersion } from './prompts.js'
import { summarize } from './summarize.js'
import { planBudget } from './token-budget.js'
import { writeNote } from './write-note.js'

/** A language model that writes, whichever door it stands behind. It is closed with the writer; the checker is not. */
export function makeProseWriter(model: LanguageModel, checker: NoteChecker): WriterEngine {
  const parts = { model, budget: planBudget(model.contextTokens), checker }
  return {
    name: model.engine,
    versions: {
      engine: model.engine,
      model: model.model,
      prompt: promptVersion,
      templates: templatesVersion,
    },
    writeNote: (request, signal) => writeNote(parts, request, signal),
    editNote: (request, signal) => editNote(parts, request, signal),
    deriveMdm: (request, signal) => deriveMdm(parts, request, signal),
    summarize: (request, signal) => summarize(parts, request, signal),
    close: () => model.close(),
  }
}

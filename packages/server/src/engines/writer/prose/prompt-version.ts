import { createHash } from 'node:crypto'
import { NOTE_TYPES } from '@casenote/contract'
import { builtInTemplate } from '../templates/built-in-templates.js'
import { listKeys } from '../templates/note-template.js'
import {
  ask,
  deriveMdmTask,
  editNoteTask,
  extractFactsTask,
  findDangerTask,
  linkGoalsTask,
  prefix,
  refusalWords,
  repairTask,
  summarizeTask,
  verifyTask,
  writeNoteTask,
} from './prompts.js'

/** Kept on everything that was written with these words: new words, new version. */
export const promptVersion = createHash('sha256')
  .update(
    JSON.stringify([
      prefix,
      NOTE_TYPES.map((type) => {
        const template = builtInTemplate(type)
        const keys = listKeys(template)
        return [
          writeNoteTask(template, keys),
          repairTask(template, keys, { hasRefused: true }),
          editNoteTask(template),
          summarizeTask(template),
        ]
      }),
      findDangerTask,
      verifyTask,
      extractFactsTask(1),
      deriveMdmTask,
      linkGoalsTask,
      refusalWords,
      ask,
    ]),
  )
  .digest('hex')
  .slice(0, 12)

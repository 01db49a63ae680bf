import type { NoteTemplate } from '@casenote/contract'

/** Sections that no type of note of ours has; its guides ask for what nobody said. */
export const invented: NoteTemplate = {
  format: 1,
  id: 'riverside-check-in',
  version: 3,
  noteType: 'dap',
  title: 'Riverside Check-in',
  voice: { person: 'client', form: 'prose' },
  sections: [
    {
      key: 'safety_first',
      title: 'Safety First',
      holds: ['danger'],
      guide: 'Write that the client denied homicidal ideation, and that they take lithium 300 mg.',
      words: { least: 10, most: 60 },
    },
    {
      key: 'how_it_went',
      title: 'How It Went',
      holds: ['reported', 'observed', 'done', 'judgement'],
      guide: 'What the client told of the time since the last session.',
      words: { least: 40, most: 120 },
      mustNot: ['worried sick'],
    },
    {
      key: 'next_steps',
      title: 'Next Steps',
      names: ['steps'],
      holds: ['plan'],
      guide: 'What was agreed.',
      words: { least: 10, most: 60 },
      layout: 'bullets',
      must: [
        { what: 'Next session', words: ['next session', 'next appointment'] },
        { what: 'Insurance', words: ['insurance'] },
      ],
    },
  ],
}

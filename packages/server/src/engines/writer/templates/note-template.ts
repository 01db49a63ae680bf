import { TEMPLATE_KINDS, TEMPLATE_PARTS, type NoteTemplate } from '@casenote/contract'

export type Kind = (typeof TEMPLATE_KINDS)[number]
export type TalkPart = (typeof TEMPLATE_PARTS)[number]
export type TemplateSection = NoteTemplate['sections'][number]

export const listKeys = ({ sections }: NoteTemplate): string[] => sections.map(({ key }) => key)

export const findSection = ({ sections }: NoteTemplate, key: string): TemplateSection | undefined =>
  sections.find((section) => section.key === key)

/** Where a kind of talk stands: without a section for it, with what was reported. */
export const placeOf = (template: NoteTemplate, kind: Kind): string =>
  findHolder(template, kind) ?? findHolder(template, 'reported') ?? template.sections[0]?.key ?? 'note'

export const findHolder = ({ sections }: NoteTemplate, kind: Kind | TalkPart): string | null =>
  sections.find(({ holds }) => holds?.includes(kind) === true)?.key ?? null

/** Where decisions about medicines stand. */
export const placeOfChanges = (template: NoteTemplate): string =>
  findHolder(template, 'med_change') ?? placeOf(template, 'plan')

/** How a section is to be set; null: as its writer likes. */
export const layoutOf = (
  { voice }: NoteTemplate,
  section: TemplateSection | undefined,
): 'paragraph' | 'bullets' | null => {
  if (section?.layout !== undefined) return section.layout
  if (voice.form === undefined) return null
  return voice.form === 'points' ? 'bullets' : 'paragraph'
}

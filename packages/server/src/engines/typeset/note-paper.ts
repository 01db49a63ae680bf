/** A note as it stands on paper: words and their order, nothing of a database. */
export interface NotePaper {
  title: string
  /** One line below the title: who signed it and when, or that nobody did. */
  state: string
  isDraft: boolean
  facts: readonly { label: string; value: string }[]
  sections: readonly PaperSection[]
  addenda: readonly PaperSection[]
  /** Below the text: what wrote it. */
  origin: string
  /** ISO 8601. The file's own date: the same note is the same file, whenever it is made. */
  datedAt: string
}

export interface PaperSection {
  title: string
  content: string
}

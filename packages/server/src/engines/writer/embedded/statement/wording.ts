import type { Frame } from './statement.js'

export interface Wording {
  text: string
  /** The same without the question, for a section whose heading says what was asked. */
  bare?: string
  frame: Frame | null
  items: readonly number[]
}

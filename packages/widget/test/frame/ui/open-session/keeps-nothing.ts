import { signal } from '@preact/signals'
import type { NoteDrafts } from '../../../../src/frame/ui/open-session/note-drafts.js'

export const keepsNothing: NoteDrafts = {
  isKept: signal(false),
  read: async () => null,
  keep: () => {},
  close: () => {},
}

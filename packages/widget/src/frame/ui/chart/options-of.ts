import type { Engine } from '../../engine/engine.js'
import type { SelectionOptions } from '../../../protocol.js'

/** What the page said of this client's visit; nothing where another client is chosen, whose visit is another one. */
export const optionsOf = ({ selection }: Engine, clientId: string): SelectionOptions =>
  selection.value.clientId === clientId ? selection.value.options : {}

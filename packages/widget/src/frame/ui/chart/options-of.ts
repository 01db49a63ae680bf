import type { WidgetClinician } from '@casenote/contract'
import type { Engine } from '../../engine/engine.js'
import type { SelectionOptions } from '../../../protocol.js'

/** What the page said of this client's visit; nothing where another client is chosen, whose visit is another one. */
export const optionsOf = ({ selection }: Engine, clientId: string): SelectionOptions =>
  selection.value.clientId === clientId ? selection.value.options : {}

/** What was chosen here, else what the page said, if it is offered: no recording may be refused for its language once it was made. */
export const chooseLanguage = (
  { languages }: WidgetClinician,
  chosen: string | null,
  { language }: SelectionOptions,
): string => languages.find((one) => one === (chosen ?? language)) ?? ''

export { addTemplate, removeTemplate } from './add-template.js'
export { chooseForNote, chooseTemplate } from './choose-template.js'
export {
  findKeptTemplate,
  findUsableTemplate,
  listDefaults,
  listTemplates,
  listTemplatesOf,
} from './find-template.js'
export { registerTemplates } from './templates.routes.js'
export { changeWritingPreferences, readWritingPreferences } from './writing-preferences.js'

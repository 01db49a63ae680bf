import { ofClient, type Reader } from '../statement/clinician-wording.js'

const tested =
  '(?:urine|drug|tox(?:icology)?)(?: (?:drug|tox))?(?: (?:screen|test|sample))?|pregnancy test|e ?k ?g|ecg|labs?|lab ?work|blood (?:work|count|sugar|test)s?|(?:liver|kidney|thyroid)(?: (?:enzymes|function|tests?|panel|level|numbers))?|(?:metabolic|lipid) panel|cholesterol|triglycerides|a1c|tsh|cbc|anc|white count|platelets|sodium|potassium|prolactin|(?:lithium|valproate|depakote|clozapine|vitamin d|b12|iron) level'
const when = '(?: (?:today|from (?:\\w+ ){1,3}?|this (?:week|month|morning)))?'
const told =
  '(?:positive|negative|normal|clean|clear|fine|good|high|low|elevated|in (?:the )?(?:normal |therapeutic )?range|within normal|okay|stable|unremarkable)'

/** "The urine today was positive for buprenorphine": a result without a number. */
const result = new RegExp(
  `^(?:your|the|that|his|her|both participants') (?:${tested})${when} (?:is|was|were|are|came (?:back|out)|looks?|looked) (?:all |still |pretty |a (?:bit|little) |perfectly |completely |just )*${told}\\b`,
  'i',
)

export const readResult: Reader = (text) =>
  result.test(text) && !/\b(?:if|want|will|would|should|next)\b/i.test(text)
    ? { kind: 'measure', text: ofClient(text) }
    : null

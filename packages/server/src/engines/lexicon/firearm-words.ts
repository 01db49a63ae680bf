/** What people and notes call them, for expressions: one list for what must not leave a note, and for what is read in one. */
export const FIREARM_WORDS =
  'guns?|firearms?|pistols?|rifles?|shotguns?|handguns?|revolvers?|glocks?|ammo|ammunition'

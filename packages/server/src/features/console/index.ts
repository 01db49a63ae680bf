export {
  inviteConsoleUser,
  listConsoleUsers,
  removeConsoleUser,
  rewrapConsoleUsers,
  userNamePattern,
} from './administer-users.js'
export { operatorScope, type ConsoleRealm, type ConsoleUser } from './console-realm.js'
export {
  actorOf,
  endSession,
  findConsoleSession,
  makeIsOpen,
  readConsoleScope,
  takeConfirmation,
  type ConsoleSource,
  type OpenSession,
} from './console-sessions.js'
export { selectOperatorRefusals } from './operator-refusals.sql.js'
export { addPasskey, choosePassword, confirmPassword, offerPasskey, redeemConsoleLink } from './enrol.js'
export { loadPasskeys } from './passkeys.js'
export { addFurtherPasskey, listOwnPasskeys, removeOwnPasskey } from './own-passkeys.js'
export {
  askForPasskey,
  confirmByPasskey,
  confirmByPassword,
  signInByPasskey,
  signInByPassword,
} from './sign-in.js'

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
  type ConsoleSource,
  type OpenSession,
} from './console-sessions.js'
export { addPasskey, choosePassword, confirmPassword, offerPasskey, redeemConsoleLink } from './enrol.js'
export { askForPasskey, signInByPasskey, signInByPassword } from './sign-in.js'

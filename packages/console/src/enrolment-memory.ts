const storageName = 'casenote-console-enrolment'

/**
 * The token leaves the address bar before anything else happens, so that neither history nor a look over the shoulder hands
 * it on. It works once; what lets this tab enrol after a reload is a cookie that scripts cannot read.
 */
export function takeLinkToken(): string | null {
  const [, token = null] = /^#link=([\w.-]{1,200})$/.exec(location.hash) ?? []
  if (token !== null) history.replaceState(null, '', location.pathname)
  return token
}

export function rememberEnrolment(userName: string | null): void {
  try {
    if (userName === null) sessionStorage.removeItem(storageName)
    else sessionStorage.setItem(storageName, userName)
  } catch {
    // Storage is blocked: a reload then asks for another link.
  }
}

export function readEnrolment(): string | null {
  try {
    return sessionStorage.getItem(storageName)
  } catch {
    return null
  }
}

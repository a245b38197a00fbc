// Without an https:// PUBLIC_URL, the account library doesn't know that a browser came over HTTPS, and its cookies lack `Secure`.

export function secureCookies(headers: Headers): void {
  const cookies = headers.getSetCookie()
  if (cookies.every(isSecure)) return
  headers.delete('set-cookie')
  for (const cookie of cookies) headers.append('set-cookie', isSecure(cookie) ? cookie : `${cookie}; Secure`)
}

function isSecure(cookie: string): boolean {
  return /;\s*secure\s*(;|$)/i.test(cookie)
}

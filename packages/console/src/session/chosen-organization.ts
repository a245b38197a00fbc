// Which organization this tab shows; another tab may show another one.

const KEY = 'hearth-organization'

export function readChosenOrganization(): string | null {
  return sessionStorage.getItem(KEY)
}

export function keepChosenOrganization(id: string): void {
  sessionStorage.setItem(KEY, id)
}

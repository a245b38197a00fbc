// The organization this tab shows. Other tabs can show other organizations.

const KEY = 'hearth-organization'

export function readChosenOrganization(): string | null {
  return sessionStorage.getItem(KEY)
}

export function keepChosenOrganization(id: string): void {
  sessionStorage.setItem(KEY, id)
}

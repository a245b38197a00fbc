import { saveFile } from '../../lib/save-file.ts'

/** The byte order mark tells spreadsheets that it is UTF-8. */
export function downloadCsv(name: string, text: string): void {
  saveFile(name, `\uFEFF${text}`, 'text/csv')
}

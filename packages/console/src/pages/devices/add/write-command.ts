// The install command for a system, with options.

export interface CommandOptions {
  isService: boolean
  /** Empty for the starter model. */
  model: string
}

export interface System {
  name: string
  /** Replaces npm. */
  npm: string
  about: string
}

export const SYSTEMS: readonly System[] = [
  { name: 'macOS and Linux', npm: 'npm', about: 'Works in every terminal.' },
  // PowerShell drops the lone -- of npm, but not of npm.cmd.
  {
    name: 'Windows',
    npm: 'npm.cmd',
    about: 'Works in PowerShell and in the command prompt.',
  },
]

export function writeCommand(command: string, { npm }: System, { isService, model }: CommandOptions): string {
  const options = [model.trim() !== '' && `--model ${model.trim()}`, isService && '--service']
  return [command.replace(/^npm\b/, npm), ...options.filter(Boolean)].join(' ')
}

/** No shell gives these characters a meaning, so nothing has to be quoted. */
export function isPlainWord(text: string): boolean {
  return /^[a-z\d][\w.:/@+-]*$/i.test(text)
}

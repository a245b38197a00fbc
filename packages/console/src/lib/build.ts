// The build of the console that runs in this tab, and the one that the gateway serves now. A build is named after its first script, whose name
// has a hash of its content.

const SCRIPT = /<script type="module"[^>]* src="([^"]+)"/
const DEADLINE_MS = 10_000

export function runningBuild(): string {
  return document.querySelector('script[type="module"]')?.getAttribute('src') ?? ''
}

/** Throws if the gateway doesn't respond. */
export async function readNewestBuild(): Promise<string> {
  const headers = { accept: 'text/html' }
  const response = await fetch('/', { headers, cache: 'no-cache', signal: AbortSignal.timeout(DEADLINE_MS) })
  if (!response.ok) throw new Error(`The gateway returned status ${response.status}.`)
  return SCRIPT.exec(await response.text())?.[1] ?? runningBuild()
}

/** Whether a reload would get another console. */
export async function compareBuilds(): Promise<'same' | 'newer' | 'unreachable'> {
  try {
    return (await readNewestBuild()) === runningBuild() ? 'same' : 'newer'
  } catch {
    return 'unreachable'
  }
}

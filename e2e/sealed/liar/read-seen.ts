// Reads a reply as far as it comes.

/** What a client saw: an error, or the end of a reply, after some of its text. */
export interface Seen {
  status: number
  text: string
  outcome: 'error' | 'complete' | 'broken'
  error: string | undefined
}

interface Shown {
  error?: { code?: unknown }
  choices?: { delta?: { content?: string | null }; message?: { content?: string | null } }[]
}

export async function readSeen(response: Response): Promise<Seen> {
  const { status } = response
  let body = ''
  try {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) body += decoder.decode(chunk, { stream: true })
  } catch {
    return { status, text: textOf(eventsOf(body)), outcome: 'broken', error: undefined }
  }
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const events = isStream ? eventsOf(body) : [JSON.parse(body) as Shown]
  const error = events.find((event) => event.error)?.error
  const isComplete = isStream ? body.endsWith('data: [DONE]\n\n') : status === 200
  return {
    status,
    text: textOf(events),
    outcome: isComplete && !error ? 'complete' : 'error',
    error: error && String(error.code),
  }
}

function eventsOf(body: string): Shown[] {
  const lines = body.split('\n').filter((line) => line.startsWith('data: {'))
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as Shown)
}

function textOf(events: readonly Shown[]): string {
  const choices = events.flatMap((event) => event.choices ?? [])
  return choices.map(({ delta, message }) => delta?.content ?? message?.content ?? '').join('')
}

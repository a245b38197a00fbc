// One request, to Hearth or straight to the server behind it, and the reply in one shape, whole or streamed.

export interface Target {
  /** With the path in front of /chat/completions. */
  base: string
  key: string
  model: string
}

export interface Choice {
  text: string
  finish: string | undefined
  calls: { name: string; arguments: string }[]
  logprobs: { token: string; bytes: number[] | null; top: number }[]
}

export interface Reply {
  status: number
  /** Of the error, if there is one. */
  error: { code: string | null; message: string } | undefined
  choices: Choice[]
  usage: { prompt: number; completion: number } | undefined
}

export interface AskOptions {
  isStream: boolean
  signal?: AbortSignal
  /** Called at the first text. */
  onText?: () => void
}

const ASK_MS = 240_000

interface WireUsage {
  prompt_tokens: number
  completion_tokens: number
}

interface WirePart {
  content?: string | null
  tool_calls?: { index?: number; function: { name?: string; arguments?: string } }[] | null
}

interface WireBody {
  choices?: {
    index: number
    message?: WirePart
    delta?: WirePart
    finish_reason?: string | null
    logprobs?: { content?: { token: string; bytes?: number[] | null; top_logprobs?: unknown[] }[] | null } | null
  }[]
  usage?: WireUsage | null
  error?: { code?: string | number | null; message?: string } | string
  detail?: unknown
}

export async function ask({ base, key, model }: Target, body: object, options: AskOptions): Promise<Reply> {
  const { isStream, signal, onText } = options
  const reply: Reply = { status: 0, error: undefined, choices: [], usage: undefined }
  const bounded = AbortSignal.timeout(ASK_MS)
  const response = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, ...body, ...(isStream && { stream: true }) }),
    signal: signal === undefined ? bounded : AbortSignal.any([signal, bounded]),
  })
  reply.status = response.status
  let hasText = false
  for await (const part of readBodies(response)) {
    take(reply, part)
    if (!hasText && reply.choices.some(({ text }) => text !== '')) {
      hasText = true
      onText?.()
    }
  }
  return reply
}

async function* readBodies(response: Response): AsyncGenerator<WireBody> {
  if (!response.headers.get('content-type')?.includes('event-stream')) {
    const text = await response.text()
    yield text.startsWith('{') ? (JSON.parse(text) as WireBody) : { error: text.slice(0, 200) }
    return
  }
  let rest = ''
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) if (line.startsWith('data: {')) yield JSON.parse(line.slice('data: '.length)) as WireBody
  }
}

function take(reply: Reply, { choices = [], usage, error, detail }: WireBody): void {
  if (usage) reply.usage = { prompt: usage.prompt_tokens, completion: usage.completion_tokens }
  const said = error ?? (detail === undefined ? undefined : JSON.stringify(detail))
  if (said !== undefined)
    reply.error =
      typeof said === 'string'
        ? { code: null, message: said }
        : { code: String(said.code), message: said.message ?? '' }
  for (const { index, message, delta, finish_reason: finish, logprobs } of choices) {
    const choice = (reply.choices[index] ??= { text: '', finish: undefined, calls: [], logprobs: [] })
    const { content, tool_calls: calls } = message ?? delta ?? {}
    choice.text += content ?? ''
    choice.finish = finish ?? choice.finish
    for (const call of calls ?? []) addCall(choice, call)
    for (const { token, bytes = null, top_logprobs: top = [] } of logprobs?.content ?? [])
      choice.logprobs.push({ token, bytes, top: top.length })
  }
}

/** Servers stream a call in parts; one that comes whole has a name. */
function addCall({ calls }: Choice, { index, function: part }: NonNullable<WirePart['tool_calls']>[number]): void {
  const call = index === undefined ? undefined : calls[index]
  if (call === undefined) calls.push({ name: part.name ?? '', arguments: part.arguments ?? '' })
  else call.arguments += part.arguments ?? ''
}

import { saveFile } from '../../../lib/save-file.ts'
import { makeCode } from './make-code.ts'
import type { Body, Message } from '../request/body.ts'
import { chatName, type Chat } from '../conversation/chats.ts'

const SPEAKERS = { system: 'System', user: 'You', assistant: 'Response', tool: 'Tool result' }

/** Saves the conversation as a file. `bodies` has a request for each column, with all that was said in it. */
export function exportChat(kind: 'md' | 'json' | 'sh', chat: Chat, bodies: readonly Body[], baseUrl: string): void {
  const name = chatName(chat)
  const text = {
    md: () => toMarkdown(name, bodies),
    json: () => JSON.stringify({ name, requests: bodies }, null, 2),
    sh: () => bodies.map((body) => makeCode(baseUrl, body)[0]?.text).join('\n\n'),
  }[kind]()
  saveFile(
    `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'conversation'}.${kind}`,
    `${text}\n`,
  )
}

export function toMarkdown(name: string, bodies: readonly Body[]): string {
  const parts = bodies.flatMap(({ model, messages }) => [
    `## ${model}`,
    ...messages.flatMap((message) => [`### ${SPEAKERS[message.role]}`, message.content, callsOf(message)]),
  ])
  return [`# ${name}`, ...parts].filter((part) => part !== '').join('\n\n')
}

function callsOf(message: Message): string {
  if (!('tool_calls' in message)) return ''
  return `\`\`\`json\n${JSON.stringify(message.tool_calls, null, 2)}\n\`\`\``
}

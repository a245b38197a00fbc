// Asks another gateway for its part of a view, a page at a time: all of it in one message would hold up the jobs of everyone else.

import type { Asks } from './asks.ts'
import type { ViewPart } from '../terms/messages.ts'

export async function askView(asks: Asks, peer: string, organization: string): Promise<ViewPart[]> {
  const parts: ViewPart[] = []
  let after: string | undefined = ''
  while (after !== undefined) {
    const [answer]: { view: ViewPart }[] = await asks.ask([peer], { kind: 'view', organization, after })
    if (answer === undefined) return parts
    parts.push(answer.view)
    after = answer.view.next
  }
  return parts
}

// Facts about a family of models beyond what its template shows. A family says how its models open, name, argue and close
// calls, how they mark their thinking and their content, and which slips they make. Everything left out is learned from the template.

import type { MessageDialect } from '../reply/message-reader.ts'
import type { ContentMarks, ThinkingTags } from '../template/reasoning.ts'
import type { ToolSyntax } from '../../formats/tool-syntax.ts'

export interface Family {
  name: string
  /** Texts that together are only in templates of this family. */
  has: readonly string[]
  /** Texts that no template of this family has. */
  lacks?: readonly string[]
  /** The whole format of calls. */
  tools?: ToolSyntax
  /** Corrects the format of calls that was learned from the template. */
  adapt?: (learned: ToolSyntax) => ToolSyntax
  thinking?: ThinkingTags
  content?: ContentMarks
  /** For replies that consist of messages. */
  dialect?: MessageDialect
}

export function isOfFamily(source: string, { has, lacks = [] }: Family): boolean {
  return has.every((text) => source.includes(text)) && !lacks.some((text) => source.includes(text))
}

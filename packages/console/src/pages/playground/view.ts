/** How the text of answers is shown. Tokens need log probabilities; an answer without them is shown as Markdown then. */
export type View = 'markdown' | 'plain' | 'tokens'

/** How responses are shown. The tokens view needs log probabilities; responses without them are shown as Markdown. */
export type View = 'markdown' | 'plain' | 'tokens'

// How much a chat template may take. Templates are programs that come with a model's file or from an administrator, and run on somebody
// else's machine.

/** CPU time for one conversation, or for learning a template from dozens of small ones: a hundred times what ordinary templates need. */
export const RENDER_CPU_MS = 2_000
/** Memory that the process may take beyond what it has before it begins. The longest conversation that a gateway accepts takes half of it. */
export const MEMORY_BYTES = 400_000_000
/** A template may write its own text, and a conversation a few times. */
export const OWN_CHARACTERS = 1_000_000
export const GROWTH = 4
/** What is learned about a template is a few short texts. */
export const STUDY_CHARACTERS = 100_000
/** CPU time for the tokens of one prompt. The longest that fit take a second or two; some tokenizers take hours for a few megabytes of line breaks. */
export const TOKENIZE_CPU_MS = 10_000
/** Time on the clock, for a process that neither computes nor answers. */
export const ANSWER_MS = 60_000
/** A conversation that takes longer lets the others pass. */
export const SLOW_MS = 250
/** Processes that may be busy with such conversations at once, beside the one for all others. */
export const MOST_SLOW = 2
/** How often a process checks itself while it renders. */
export const LOOK_MS = 20

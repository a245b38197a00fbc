/** The keys that open the search, as they are written on this computer's keyboard. */
export const SEARCH_KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? ['⌘', 'K'] : ['Ctrl', 'K']

/** Marks a process in its environment as a part of Hearth that `npm start` has started. */
export const LAUNCHER_VARIABLE = 'HEARTH_LAUNCHER'

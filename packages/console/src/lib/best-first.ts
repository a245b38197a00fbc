// The order in which models come up for examples and new chats.

interface Model {
  devices: readonly unknown[]
  /** Null for models that are not well known. */
  known: { isStarter: boolean } | null
}

/** Models that a device serves answer at once, and the starter model knows little. */
export function bestFirst<One extends Model>(models: readonly One[]): One[] {
  return models.toSorted((one, other) => rank(one) - rank(other))
}

function rank({ devices, known }: Model): number {
  if (devices.length === 0) return 2
  return known?.isStarter === true ? 1 : 0
}

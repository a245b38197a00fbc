// Replaces a method of one object, so that a single gateway is broken and the code stays as it is.

export function change<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  make: (original: Target[Name]) => Target[Name],
): void {
  const method = target[name] as unknown as (...args: unknown[]) => unknown
  target[name] = make(method.bind(target) as unknown as Target[Name])
}

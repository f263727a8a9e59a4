const MAX_STATEMENTS = 500;

/** Caches the most recently used statements, because each length of a parameter list needs its own. */
export function statementCache<Value>(make: (sql: string) => Value): (sql: string) => Value {
  const values = new Map<string, Value>();
  return (sql) => {
    const value = values.get(sql) ?? make(sql);
    values.delete(sql);
    values.set(sql, value);
    if (values.size > MAX_STATEMENTS) values.delete(values.keys().next().value ?? sql);
    return value;
  };
}

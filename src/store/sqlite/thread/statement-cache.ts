const MOST_STATEMENTS = 500;

/** Keeps what was used last, for a list of parameters makes a statement of its own per length. */
export function statementCache<Value>(make: (sql: string) => Value): (sql: string) => Value {
  const values = new Map<string, Value>();
  return (sql) => {
    const value = values.get(sql) ?? make(sql);
    values.delete(sql);
    values.set(sql, value);
    if (values.size > MOST_STATEMENTS) values.delete(values.keys().next().value ?? sql);
    return value;
  };
}

# Completes budgetd in bash. In ~/.bashrc:  source <(budgetd completion bash)

_budgetd() {
  local current=${COMP_WORDS[COMP_CWORD]} kind= word
  COMPREPLY=()
  while IFS= read -r word; do
    if [[ -z $kind ]]; then
      kind=$word
      continue
    fi
    word=${word%%$'\t'*}
    # Inside quotation marks, bash takes the word as it is.
    [[ $current == [\"\']* ]] || printf -v word %q "$word"
    COMPREPLY+=("$word")
  done < <("${COMP_WORDS[0]}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case $kind in
    files) compopt -o default 2>/dev/null ;;
    folders) compopt -o dirnames 2>/dev/null ;;
  esac
}

complete -F _budgetd budgetd

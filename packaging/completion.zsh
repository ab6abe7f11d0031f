#compdef budgetd
# Completes budgetd in zsh. In ~/.zshrc, after compinit:  source <(budgetd completion zsh)

_budgetd() {
  local -a lines items
  local line word about
  lines=("${(@f)$("$words[1]" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  case $lines[1] in
    files) _files ;;
    folders) _files -/ ;;
    *)
      for line in "${(@)lines[2,-1]}"; do
        word=${${line%%$'\t'*}//:/\\:}
        about=${line#*$'\t'}
        items+=("$word${about:+:$about}")
      done
      _describe -V budgetd items
      ;;
  esac
}

if [[ $funcstack[1] == _budgetd ]]; then
  _budgetd "$@"
else
  compdef _budgetd budgetd
fi

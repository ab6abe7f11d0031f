# Completes budgetd in fish. In ~/.config/fish/config.fish:  budgetd completion fish | source

function __budgetd_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l program $typed[1]
    set -e typed[1]
    set -l lines ($program completion words -- $typed "$current" 2>/dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path $current
        case folders
            __fish_complete_directories $current
        case '*'
            set -e lines[1]
            printf '%s\n' $lines
    end
end

complete -c budgetd -f -a '(__budgetd_complete)'
